import { leaveRoot } from './leave-root.ts'
import { runSite } from './run-site.ts'

runSite(leaveRoot)
