/** What is read from a request before anything is known about it. */
import type { FastifyRequest } from 'fastify'
import { emptyForm, type Form, parseForm } from './form-encoding.ts'
import { randomText } from './ids.ts'

/** The body of a POST, the query of a GET. */
export function formOf(request: FastifyRequest): Form {
  if (request.method !== 'POST') return parseForm(request.url.split('?', 2)[1] ?? '')
  if (request.body === undefined || request.body === null) return emptyForm()
  return parseForm(String(request.body))
}

/** An id with characters no id has is one that does not exist. */
export function idOf(request: FastifyRequest): string {
  const id = (request.params as { id?: string }).id ?? ''
  return /^\w{0,255}$/.test(id) ? id : 'unknown'
}

export function pathOf(request: FastifyRequest, prefix: string): string {
  return request.url.slice(prefix.length).split('?', 1)[0] ?? ''
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

export const newRequestId = () => `req_${randomText(14)}`
