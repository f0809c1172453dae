/**
 * The choice between booking once and every week, in the sheet of either.
 *
 * @param props.every such as `Every Friday at 06:10`
 */
export function HowOften({ isWeekly, every, onChange }: { isWeekly: boolean; every: string; onChange: () => void }) {
  return (
    <fieldset className="mt-3 flex rounded-full bg-sand p-0.5 sm:mt-5">
      <legend className="sr-only">How often?</legend>
      {[false, true].map((weekly) => (
        <button
          key={String(weekly)}
          type="button"
          aria-pressed={weekly === isWeekly}
          onClick={() => weekly !== isWeekly && onChange()}
          className="min-h-11 flex-auto rounded-full px-3 text-small/tight font-medium text-ink-soft focus-visible:rounded-full aria-pressed:bg-paper aria-pressed:text-ink aria-pressed:shadow-rest"
        >
          {weekly ? every : 'Just this once'}
        </button>
      ))}
    </fieldset>
  )
}
