import { vi } from 'vitest'
import { Connection } from '../../platform/database/connection.ts'
import { live } from './history.ts'
import type { Plant, Rewrite } from './plant.ts'
import type { Step } from './step.ts'
import type { World } from './world.ts'

/** Lives a history while a bug is in the studio, and takes it out again. */
export async function livePlanted(world: World, plant: Plant, steps: readonly Step[]): Promise<string[]> {
  const { pool } = world.studio.server.database
  const taken = plant.rewrite ? steps.map(rewriting(plant.rewrite)) : steps
  try {
    return await live(world, taken, async () => void (await pool.query(plant.sql ?? '')))
  } finally {
    // What the bug left behind would be in the way of the constraint.
    await world.forget()
    await pool.query(`drop function if exists planted cascade; ${plant.undo ?? ''}`)
  }
}

/** The step with every statement of the program rewritten, while it is taken. */
const rewriting =
  (rewrite: Rewrite) =>
  (step: Step): Step => ({
    ...step,
    async take(world, state) {
      const { query } = Connection.prototype
      const spy = vi.spyOn(Connection.prototype, 'query').mockImplementation(function (
        this: Connection,
        asked,
        ...rest
      ) {
        if (typeof asked === 'string') return query.call(this, rewrite(asked), ...rest)
        const isStatement = typeof asked?.text === 'string' && !asked.submit
        return query.call(this, isStatement ? { ...asked, text: rewrite(asked.text) } : asked, ...rest)
      })
      try {
        return await step.take(world, state)
      } finally {
        spy.mockRestore()
      }
    },
  })
