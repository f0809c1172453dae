/** Reads `application/x-www-form-urlencoded` with Stripe's brackets, validated by zod and refused in Stripe's words. */
import { z } from 'zod'
import { invalidRequest, type StripeRefusal } from './errors.ts'

export type Form = { [key: string]: string | Form }

export const Text = z.string().min(1).max(5000)
export const Whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
export const Metadata = z.record(z.string().max(40), z.string().max(500))
/** Only `expand[]=latest_charge` is supported. */
export const Expand = z.strictObject({ 0: z.literal('latest_charge') }).optional()

/** `metadata[member]=7&expand[]=latest_charge` as `{ metadata: { member: '7' }, expand: { 0: 'latest_charge' } }` */
export function formOf(text: string): Form {
  const form: Form = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.replace(/\[\]$/, '[0]').match(/[^[\]]+/g) ?? []
    const last = keys.pop()
    if (last === undefined || `${name}${value}`.includes('\0')) throw invalidRequest('Invalid request: not a form.')
    let branch = form
    for (const key of keys) {
      const next = branch[key] ?? Object.create(null)
      if (typeof next === 'string') throw invalidRequest('Invalid object', { param: name })
      branch[key] = next
      branch = next
    }
    branch[last] = value
  }
  return form
}

/** The parameters of a call. @throws {StripeRefusal} for a missing, invalid or, in a strict schema, unknown one */
export function read<S extends z.ZodType>(schema: S, form: Form): z.output<S> {
  const result = schema.safeParse(form, { reportInput: true })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw issue ? refusalOf(issue) : invalidRequest('Invalid request.')
}

function refusalOf(issue: z.core.$ZodIssue): StripeRefusal {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? ''])
    const message = `Received unknown parameter: ${param}. The sandbox does not support it.`
    return invalidRequest(message, { code: 'parameter_unknown', param })
  }
  const param = nameOf(issue.path)
  if (issue.input === undefined)
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  if (issue.input === '')
    return invalidRequest(`You passed an empty string for '${param}'.`, { code: 'parameter_invalid_empty', param })
  const code = issue.code === 'invalid_format' && issue.format === 'regex' ? 'parameter_invalid_integer' : undefined
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { code, param })
}

/** The name as the caller wrote it: `payment_method_data[card][number]`. */
const nameOf = ([first, ...rest]: PropertyKey[]) => String(first) + rest.map((key) => `[${String(key)}]`).join('')
