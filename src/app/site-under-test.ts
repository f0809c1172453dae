import { runSite } from './run-site.ts'

/** The site as a process of its own. Tests run as root where a container does, and try live mode there too. */
runSite(() => {})
