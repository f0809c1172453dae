import { defineConfig } from 'vitest/config'
import ours from '../vitest.config.ts'

const { projects: _projects, ...shared } = ours.test ?? {}

// LAB_TESTS: paths or patterns, separated by commas.
export default defineConfig({
  test: { ...shared, include: process.env.LAB_TESTS?.split(',') ?? [], isolate: false },
})
