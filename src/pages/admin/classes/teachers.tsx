import { useFacts } from '#content/web/facts.tsx'
import { teacherNames, teacherToSay } from '#facts/rules.ts'

/** The names to choose from: the teachers in the settings, and who has it now. */
export function useTeachers(now?: string): string[] {
  const names = teacherNames(useFacts())
  return now && !names.includes(now) ? [...names, now] : names
}

export const useTaughtBy = (teacher: string) => teacherToSay(useFacts(), teacher)

/** The teacher of a class, where it need be said. */
export function TaughtBy({ teacher, className = '' }: { teacher: string; className?: string }) {
  const name = useTaughtBy(teacher)
  return name && <p className={`text-small text-ink-mute wrap-anywhere ${className}`}>with {name}</p>
}
