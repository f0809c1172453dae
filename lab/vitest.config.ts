import { defineConfig } from 'vitest/config'
import project from '../vitest.config.ts'

const { projects: _projects, ...shared } = project.test ?? {}

// LAB_TESTS: paths or patterns, separated by commas.
export default defineConfig({
  test: { ...shared, include: process.env.LAB_TESTS?.split(',') ?? [], isolate: false },
})
