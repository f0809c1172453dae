import { Encrypter } from 'age-encryption'

/** Whether this is an age public key. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}
