import type { WizardInput } from './wizard-form.ts'

/** A half-filled form outlives a reload, in this tab only. Saving and logging out clear it. */
const KEY = 'health-draft'

export type Draft = { step: number; answers: WizardInput }

export function readDraft(): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return typeof draft?.step === 'number' && typeof draft.answers === 'object' ? draft : undefined
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
