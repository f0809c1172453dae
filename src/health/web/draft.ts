import type { WizardInput } from './wizard-form.ts'

/** Keeps a member's half-filled form in this tab, across a reload or a new login. Saving and logging out clear it. */
const KEY = 'health-draft'

export type Draft = { userId: string; step: number; answers: WizardInput }

export function readDraft(userId: string): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return draft?.userId === userId && typeof draft.step === 'number' && typeof draft.answers === 'object'
      ? draft
      : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(draft: Draft): void {
  sessionStorage.setItem(KEY, JSON.stringify(draft))
}

export function dropDraft(): void {
  sessionStorage.removeItem(KEY)
}
