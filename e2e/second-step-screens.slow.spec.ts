import { test } from './asking-site.ts'
import { seenEverywhere } from './looks.ts'
import { SECOND_STEP_WALKS } from './scenes/second-step.ts'

for (const walk of SECOND_STEP_WALKS) seenEverywhere(test, walk)
