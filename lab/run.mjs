// npm run lab: lists the experiments. npm run lab -- <name> [arguments]: runs one.
import { run } from '../scripts/lib/processes.mjs'
import { Failure, print, script } from '../scripts/lib/project.mjs'

/**
 * Description, file, and what scripts/run.mjs prepares first: `--built` the pages, `--tools` the packages of lab/tools.
 * A `.mjs` file prepares what it needs.
 * @type {Record<string, [line: string, file: string, ...prepared: ('--built' | '--tools')[]]>}
 */
const EXPERIMENTS = {
  accessibility: ['axe, Alfa and IBM’s checker on every screen; -g chooses screens', 'accessibility.mjs'],
  attack: ['attacks on sign-in, roles, tokens and input; words choose files', 'attack.mjs'],
  bench: [
    'cost of booking, lists, scripts and pages; or tabs, rows, presses, load, growth; --against, --json',
    'bench/run.ts',
    '--built',
  ],
  beside: ['a week’s free times and a booking, next to Easy!Appointments; its address', 'beside.ts', '--built'],
  browsers: ['the main path in Firefox and WebKit, on two screens; a name chooses one', 'browsers.ts', '--built'],
  drill: ['backup, verification and restore with 5,000 members and 200,000 bookings', 'drill.ts'],
  fonts: ['makes the subset fonts again, from the fonts as published', 'fonts/make.ts'],
  guide: ['follows the Debian guide; needs root, a release, mmdebstrap and systemd-container', 'guide.ts'],
  histories: ['random histories, checked after every step; --minutes, --seed', 'histories.mjs'],
  licences: ['prints every locked package by licence', 'licences.ts'],
  lighthouse: ['Lighthouse on a phone, median of three; paths choose pages', 'lighthouse.ts', '--built', '--tools'],
  mutants: ['mutation tests of rules and use cases; a path chooses a file, --fresh', 'mutants.ts', '--tools'],
  pictures: ['makes pictures, icons and the share card again, from assets/', 'pictures/make.ts'],
  processes: ['three processes on one database: jobs, mail, limits, memory', 'processes.ts', '--built'],
  screenshots: ['a screenshot of every screen, into screenshots/; --against <folder> compares', 'screenshots.mjs'],
  storm: ['kills the site 20 times under load; a number of kills', 'storm.ts', '--built'],
  'webhook-orders': ['a payment’s events in all 5,040 orders, to four endings', 'webhook-orders.mjs'],
}

await script(async () => {
  const [name, ...args] = process.argv.slice(2)
  if (!name) {
    for (const [known, [line]] of Object.entries(EXPERIMENTS)) print(`${known.padEnd(18)} ${line}`)
    return 0
  }
  const experiment = Object.hasOwn(EXPERIMENTS, name) && EXPERIMENTS[name]
  if (!experiment) throw new Failure(`There is no experiment ${name}. npm run lab lists them.`)
  const [, file, ...prepared] = experiment
  const command = file.endsWith('.mjs') ? [] : ['scripts/run.mjs', ...prepared]
  return run(process.execPath, [...command, `lab/${file}`, ...args], { stdin: 'inherit' })
})
