/**
 * `application/x-www-form-urlencoded` with Stripe's brackets: `metadata[member]=7`, `expand[]=latest_charge`,
 * `payment_method_data[card][number]=…`. A list becomes a branch with the keys 0, 1, 2 …, because only the
 * reader of a parameter knows whether `metadata[0]` is an entry or an item.
 */
import { invalidRequest } from './errors.ts'

/** Has no prototype, so that no key can reach one. */
export interface Form {
  [key: string]: string | Form
}

const deepest = 6
const mostParameters = 1000
const forbidden = new Set(['__proto__', 'prototype', 'constructor'])

/** Throws a refusal (400) for broken escapes, NUL, prototype keys, more than 6 levels or 1000 parameters. */
export function parseForm(text: string): Form {
  const form = emptyForm()
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length > mostParameters) throw invalidRequest('Too many parameters.')
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    put(form, keysOf(name), value, name)
  }
  return form
}

export function emptyForm(): Form {
  return Object.create(null) as Form
}

function decode(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidRequest('Invalid request: a parameter is not valid URL-encoded UTF-8.')
  }
  if (decoded.includes('\0')) throw invalidRequest('Invalid request: a parameter holds a NUL byte.')
  return decoded
}

function keysOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!match) throw invalidRequest(`Invalid parameter name: ${shortened(name)}`)
  const [, first = '', brackets = ''] = match
  const keys = [first, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map((bracket) => bracket[1] ?? '')]
  if (keys.length > deepest) throw invalidRequest(`Parameter is nested too deeply: ${shortened(name)}`)
  if (keys.some((key) => forbidden.has(key))) throw invalidRequest(`Invalid parameter name: ${shortened(name)}`)
  return keys
}

function put(form: Form, keys: string[], value: string, name: string): void {
  let branch = form
  for (const [level, written] of keys.entries()) {
    const key = written === '' ? String(Object.keys(branch).length) : written
    const present = branch[key]
    if (level === keys.length - 1) {
      if (typeof present === 'object') throw invalidRequest(`Invalid parameter: ${shortened(name)}`)
      branch[key] = value
      return
    }
    if (typeof present === 'string') throw invalidRequest(`Invalid parameter: ${shortened(name)}`)
    const next = present ?? emptyForm()
    branch[key] = next
    branch = next
  }
}

function shortened(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}…` : name
}
