import { invalidRequest, missingParameter } from './errors.ts'
import { emptyForm, type Form } from './form-encoding.ts'

const metadataLimits = { keys: 50, keyLength: 40, valueLength: 500 }
const longestText = 5000

/** Reads typed parameters out of a form and refuses in Stripe's words. `undefined` means: not sent. */
export class Parameters {
  readonly form: Form
  readonly path: string

  constructor(form: Form, path = '') {
    this.form = form
    this.path = path
  }

  /** The name as the caller wrote it: `payment_method_data[card][number]`. */
  nameOf(key: string): string {
    return this.path === '' ? key : `${this.path}[${key}]`
  }

  has(key: string): boolean {
    return key in this.form
  }

  /** An empty text is refused: `erasable` accepts it. */
  text(key: string): string | undefined {
    const value = this.erasable(key)
    if (value !== null) return value
    const param = this.nameOf(key)
    throw invalidRequest(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      { code: 'parameter_invalid_empty', param },
    )
  }

  required(key: string): string {
    const value = this.text(key)
    if (value === undefined) throw missingParameter(this.nameOf(key))
    return value
  }

  /** `null` when sent empty, which unsets the field. */
  erasable(key: string): string | null | undefined {
    const value = this.form[key]
    if (value === undefined) return undefined
    const param = this.nameOf(key)
    if (typeof value === 'object') throw invalidRequest(`Invalid string: ${param} is an object.`, { param })
    if (value.length > longestText) {
      throw invalidRequest(`Invalid string: ${param} must be at most ${longestText} characters.`, { param })
    }
    return value === '' ? null : value
  }

  integer(key: string): number | undefined {
    const value = this.text(key)
    if (value === undefined) return undefined
    const number = Number(value)
    if (!/^[+-]?\d{1,15}$/.test(value) || !Number.isSafeInteger(number)) {
      throw invalidRequest(`Invalid integer: ${value.slice(0, 60)}`, {
        code: 'parameter_invalid_integer',
        param: this.nameOf(key),
      })
    }
    return number
  }

  flag(key: string): boolean | undefined {
    const value = this.text(key)
    if (value === undefined) return undefined
    if (value === 'true' || value === '1') return true
    if (value === 'false' || value === '0') return false
    throw invalidRequest(`Invalid boolean: ${value.slice(0, 60)}`, { param: this.nameOf(key) })
  }

  choice<const T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.text(key)
    if (value === undefined) return undefined
    const known = choices.find((choice) => choice === value)
    if (known) return known
    const last = choices.at(-1)
    const names = choices.length === 1 ? last : `one of ${choices.slice(0, -1).join(', ')}, or ${last}`
    throw invalidRequest(`Invalid ${this.nameOf(key)}: must be ${names}`, { param: this.nameOf(key) })
  }

  /** The parameters below `key`, or `undefined` when none was sent. */
  branch(key: string): Parameters | undefined {
    const value = this.form[key]
    if (value === undefined) return undefined
    if (typeof value === 'string') {
      if (value === '') return new Parameters(emptyForm(), this.nameOf(key))
      throw invalidRequest('Invalid object', { param: this.nameOf(key) })
    }
    return new Parameters(value, this.nameOf(key))
  }

  /** `key[]=a&key[]=b` or `key[0]=a&key[1]=b`. */
  list(key: string): string[] | undefined {
    const value = this.form[key]
    if (value === undefined) return undefined
    const items = typeof value === 'string' ? [] : Object.entries(value)
    if (
      (typeof value === 'string' && value !== '') ||
      items.some(([at, item]) => !/^\d+$/.test(at) || typeof item !== 'string')
    ) {
      throw invalidRequest('Invalid array', { param: this.nameOf(key) })
    }
    return items.map(([, item]) => item as string)
  }

  /** The metadata after this request: sent keys are set, empty ones removed, `metadata=` removes all. */
  metadata(before: Record<string, string> = {}): Record<string, string> {
    const sent = this.form.metadata
    if (sent === undefined) return before
    if (sent === '') return {}
    if (typeof sent === 'string') throw invalidRequest('Invalid object', { param: 'metadata' })
    const entries = new Map(Object.entries(before))
    for (const [key, value] of Object.entries(sent)) {
      const param = `metadata[${key}]`
      if (typeof value !== 'string') throw invalidRequest(`Invalid string: ${param} is an object.`, { param })
      checkMetadata(key, value)
      if (value === '') entries.delete(key)
      else entries.set(key, value)
    }
    if (entries.size > metadataLimits.keys) {
      throw invalidRequest(`Metadata can have up to ${metadataLimits.keys} keys.`, { param: 'metadata' })
    }
    return Object.fromEntries(entries)
  }

  /** Refuses every parameter whose name is not among `known`, as Stripe does. */
  allowOnly(known: ReadonlySet<string>): void {
    for (const key of Object.keys(this.form)) {
      if (!known.has(key)) {
        const param = this.nameOf(key)
        throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
      }
    }
  }
}

function checkMetadata(key: string, value: string): void {
  if (key.length > metadataLimits.keyLength) {
    throw invalidRequest(
      `Metadata keys can have up to ${metadataLimits.keyLength} characters, but you passed in a key that is ${key.length} characters. Invalid key: ${key.slice(0, 80)}`,
      { param: 'metadata' },
    )
  }
  if (value.length > metadataLimits.valueLength) {
    throw invalidRequest(
      `Metadata values can have up to ${metadataLimits.valueLength} characters, but you passed in a value that is ${value.length} characters.`,
      { param: `metadata[${key}]` },
    )
  }
}
