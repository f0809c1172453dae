import { settingsOfCommand } from './leave-root.ts'
import { runSite } from './run-site.ts'

runSite(settingsOfCommand)
