import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useFacts } from '#content/web/facts.tsx'
import { PasswordField } from '#ui/form-fields.tsx'
import { isLongEnough, PASSWORD_MINIMUM } from '../rules.ts'

type Meter = typeof import('./password-strength.ts')

/** By score, from 0 to 4. The meter only advises. */
const WORDS = ['Very easy to guess', 'Easy to guess', 'Fair', 'Good', 'Strong'] as const
const COLOURS = ['bg-err', 'bg-err', 'bg-warn', 'bg-ok', 'bg-ok'] as const

/**
 * The form's field `password`, with a strength meter that loads once something is typed.
 *
 * @param props.known what else a guesser might know: name, email address
 */
export function NewPasswordField({ label, known = [] }: { label: ReactNode; known?: readonly string[] }) {
  const typed: string = useWatch({ name: 'password' }) ?? ''
  const [meter, setMeter] = useState<Meter>()
  useEffect(() => {
    if (typed && !meter) import('./password-strength.ts').then(setMeter, () => {})
  }, [typed, meter])
  return (
    <PasswordField
      name="password"
      label={label}
      autoComplete="new-password"
      help={<StrengthLine meter={meter} password={useDeferredValue(typed)} known={known} />}
    />
  )
}

/** Four bars and a sentence. It keeps room for the longest advice (two lines, three on a phone), so nothing moves. */
function StrengthLine({
  meter,
  password,
  known,
}: {
  meter: Meter | undefined
  password: string
  known: readonly string[]
}) {
  const knownText = [...known, useFacts().name].join('\n')
  const strength = useMemo(
    () => (meter && password ? meter.strengthOf(password, knownText.split('\n')) : undefined),
    [meter, password, knownText],
  )
  const lit = strength ? Math.max(1, strength.score) : 0
  return (
    <span className="block min-h-[75px] sm:min-h-[54px]">
      <span aria-hidden className="mb-2 grid grid-cols-4 gap-1.5">
        {[1, 2, 3, 4].map((bar) => (
          <span
            key={bar}
            className={`h-1 rounded-full transition-colors duration-300 ${strength && bar <= lit ? COLOURS[strength.score] : 'bg-sand'}`}
          />
        ))}
      </span>
      {(!strength || !isLongEnough(password)) && <>At least {PASSWORD_MINIMUM} characters. </>}
      <span role="status">
        {strength && (
          <>
            <span className="sr-only">Password strength: </span>
            <span className="font-medium text-ink-soft">{WORDS[strength.score]}.</span>{' '}
            {isLongEnough(password) && strength.score < 3 && strength.advice}
          </>
        )}
      </span>
    </span>
  )
}
