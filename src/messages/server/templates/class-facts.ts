import type { ReactNode } from 'react'
import { addressLine } from '../../../facts/rules.ts'
import type { MailedClass } from '../../mail.ts'
import { facts, moment, type Site } from './layout.ts'
import { fromTo } from './words.ts'

/** What a mail says of a class: which, when, with whom and where. */
export function classFacts(mailed: MailedClass, site: Site): ReactNode {
  return facts(
    ['Class', `${mailed.title} with ${mailed.instructorName}`],
    ['When', moment(fromTo(mailed))],
    ['Where', addressLine(site.facts.address)],
  )
}
