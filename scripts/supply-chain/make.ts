// npm run licences: writes docs/licences.md anew.
import { writeFile } from 'node:fs/promises'
import { licencesPage } from './licences.ts'
import { lockedPackages } from './packages.ts'

await writeFile('docs/licences.md', licencesPage(await lockedPackages('package-lock.json')))
