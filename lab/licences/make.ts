// npm run lab -- licences: prints every locked package by licence.
import { lockedPackages } from '../../scripts/supply-chain/packages.ts'
import { licencesPage } from './licences.ts'

console.log(licencesPage(await lockedPackages('package-lock.json')))
