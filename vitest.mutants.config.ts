import { defineConfig } from 'vitest/config'
import ours from './vitest.config.ts'

const { projects: _projects, ...shared } = ours.test ?? {}

// What `npm run mutants` runs against each mutant: the tests it names, nothing else.
export default defineConfig({
  test: { ...shared, include: process.env.MUTANTS_TESTS?.split(',') ?? [], isolate: false },
})
