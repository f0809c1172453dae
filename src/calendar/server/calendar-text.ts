import ICAL from 'ical.js'
import type { UnreadReason } from '../rules.ts'

/** A component as written: its lines unfolded, without those of the components inside it. */
export type Component = { name: string; lines: string[]; parts: Component[]; isComplete: boolean }

/** A property as ical.js reads it (jCal, RFC 7265): dates and times in ISO 8601, periods as pairs, rules as records. */
export type Property = { parameters: Record<string, string | undefined>; values: Value[] }
type Value = string | [start: string, end: string] | Record<string, string | number | (string | number)[]>
type JCal = [name: string, parameters: Property['parameters'], type: string, ...values: Value[]]

export class NotACalendar extends Error {}

/** Why an event cannot be read. */
export class UnreadableEvent extends Error {
  readonly reason: UnreadReason
  constructor(reason: UnreadReason) {
    super(reason)
    this.reason = reason
  }
}

/** All components of a file, the outer ones first. */
export function componentsOf(text: string): Component[] {
  const file = newComponent('')
  const open = [file]
  for (const line of linesOf(text)) {
    const [, edge, written = ''] = /^(BEGIN|END):\s*([\w-]+)/i.exec(line) ?? []
    const name = written.toLowerCase()
    if (!edge) open.at(-1)?.lines.push(line)
    else if (edge.toUpperCase() === 'BEGIN') {
      const component = newComponent(name)
      open.at(-1)?.parts.push(component)
      open.push(component)
    } else {
      // Those inside whose end is missing end with it.
      const ended = open.findLastIndex((one) => one.name === name)
      for (const component of ended > 0 ? open.splice(ended) : []) component.isComplete = true
    }
  }
  const all = (component: Component): Component[] => [component, ...component.parts.flatMap(all)]
  const components = all(file)
  if (!components.some(({ name }) => name === 'vcalendar')) throw new NotACalendar()
  return components
}

const newComponent = (name: string): Component => ({ name, lines: [], parts: [], isComplete: false })

/**
 * The lines of a file. One that is neither a property nor folded belongs to the line before, where its break is
 * missing.
 */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const line of text.replace(/^\uFEFF+/, '').split(/\r\n|\r|\n/)) {
    if (/^[a-z\d-]+[;:]/i.test(line)) lines.push(line)
    else if (lines.length > 0) lines.push(`${lines.pop()}${line.replace(/^[ \t]/, '')}`)
  }
  return lines
}

const DECIDES_TIMES = /^(dtstart|dtend|duration|rrule|rdate|exdate|recurrence-id)\b/i
const IS_READ =
  /^(uid|sequence|status|transp|x-microsoft-cdo-busystatus|attendee|tzoffsetfrom|tzoffsetto|tzid|x-lic-location|x-wr-calname)[;:]/i

/**
 * The properties of a component that say when and whether its owner is busy.
 *
 * @throws {UnreadableEvent} if one that decides on times cannot be read; others are left out
 */
export function propertiesOf(component: Component): Map<string, Property[]> {
  const properties = readLines(component).map(([name, parameters, , ...values]) => ({ name, parameters, values }))
  return Map.groupBy(properties, ({ name }) => name)
}

/** A text of a component, whatever else is in it. */
export function textIn({ lines }: Component, name: string): string {
  const isNamed = new RegExp(`^${name}[;:]`, 'i')
  return String(readLines({ lines: lines.filter((line) => isNamed.test(line)) })[0]?.[3] ?? '')
}

/** A definition of a zone for ical.js. */
export function timezoneOf(definition: Component): ICAL.Timezone {
  const toJCal = (component: Component): unknown[] => [
    component.name,
    readLines(component),
    component.parts.map(toJCal),
  ]
  return new ICAL.Timezone(new ICAL.Component(toJCal(definition)))
}

const readLines = ({ lines }: Pick<Component, 'lines'>): JCal[] =>
  lines.filter((line) => DECIDES_TIMES.test(line) || IS_READ.test(line)).flatMap(jCalOf)

function jCalOf(line: string): JCal[] {
  const mended = mend(line)
  if (mended.endsWith(':')) return []
  try {
    return [ICAL.parse.property(mended)]
  } catch {
    if (DECIDES_TIMES.test(line)) throw new UnreadableEvent(/^rrule/i.test(line) ? 'rule' : 'date')
    return []
  }
}

/** What other readers accept: empty parts, zones with a colon, dates without `VALUE=DATE`, rules in lower case. */
function mend(line: string): string {
  const trimmed = line.replace(/[,;\s]+$/, '')
  if (/^rrule:/i.test(trimmed)) return trimmed.toUpperCase().replace(/;[A-Z]+=(?=;|$)/g, '')
  if (!DECIDES_TIMES.test(trimmed)) return trimmed
  const quoted = trimmed.replace(/;tzid="?([^";]*?)"?((?:;value=[^:;]*)?):(?=\d{8})/i, ';TZID="$1"$2:')
  const isDate = /:\d{8}(,\d{8})*$/.test(quoted)
  return isDate ? quoted.replace(/;value=[^:;]*/i, '').replace(/(:[\d,]*)$/, ';VALUE=DATE$1') : quoted
}
