import type { ReactNode } from 'react'
import type { MailedClass } from '../../mail.ts'
import { facts } from './layout.ts'
import { addressLine, fromTo } from './words.ts'

/** What a mail says of a class: which, when, with whom and where. */
export function classFacts(mailed: MailedClass): ReactNode {
  return facts(
    ['Class', `${mailed.title} with ${mailed.instructorName}`],
    ['When', fromTo(mailed)],
    ['Where', addressLine],
  )
}
