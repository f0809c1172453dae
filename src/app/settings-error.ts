import { PlainFault } from '#platform/plain-fault.ts'

/** Thrown with every fault found, so that an owner mends them in one go. */
export class SettingsError extends PlainFault {
  override readonly name = 'SettingsError'

  constructor(faults: string[]) {
    super(`The settings need attention:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  }
}
