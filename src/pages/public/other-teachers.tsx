import { useFacts } from '#content/web/facts.tsx'
import { portraitOf } from '#content/web/shown-pictures.ts'
import { Picture } from '#ui/picture.tsx'

/** The teachers beside the lead instructor; nothing without any. */
export function OtherTeachers() {
  const { teachers } = useFacts()
  if (teachers.length === 0) return null
  return (
    <section aria-labelledby="other-teachers" className="wrap pb-section">
      <h2 id="other-teachers" className="display-3">
        Also teaching
      </h2>
      <ul className="mt-8 grid gap-x-12 gap-y-10 border-t border-line pt-8 md:grid-cols-2">
        {teachers.map(({ name, role, text, portrait }) => (
          <li key={name} className="flex min-w-0 items-start gap-6 max-sm:flex-col">
            {portrait && (
              <div className="w-32 flex-none overflow-hidden rounded-row bg-sand">
                <Picture of={portraitOf(portrait, name)} sizes="128px" />
              </div>
            )}
            <div className="min-w-0 wrap-anywhere">
              <h3 className="title">{name}</h3>
              <p className="text-ink-mute">{role}</p>
              {text
                .split(/\n\s*\n/)
                .filter(Boolean)
                .map((paragraph) => (
                  <p key={paragraph} className="mt-3 text-ink-soft">
                    {paragraph}
                  </p>
                ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
