import type { CompanionForm } from '../../contract.ts'

/** The companion as it is sent; undefined until the fields are complete. */
export function completeCompanion({ firstName, lastName, email }: CompanionForm): CompanionForm | undefined {
  const trimmed = { firstName: firstName.trim(), lastName: lastName.trim(), email: email.trim() }
  return trimmed.firstName && trimmed.lastName && /^\S+@\S+\.\S+$/.test(trimmed.email) ? trimmed : undefined
}

export const EMPTY_COMPANION: CompanionForm = { firstName: '', lastName: '', email: '' }
