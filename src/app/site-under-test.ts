import { runSite } from './run-site.ts'
import { readSettings } from './settings.ts'

/** The site without the check for root: tests may run as root in a container, live mode included. */
runSite(() => readSettings(process.env))
