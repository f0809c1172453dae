import { defineConfig } from 'vitest/config'
import ours from './vitest.config.ts'

// What `npm run mutants` runs against each mutant: the tests it names, nothing else.
export default defineConfig({ ...ours, test: { ...ours.test, include: process.env.MUTANTS_TESTS?.split(',') ?? [] } })
