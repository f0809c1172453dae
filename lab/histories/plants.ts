import type { Plant } from './plant.ts'
import { CLASS_PLANTS } from './plants-of-classes.ts'
import { MONEY_PLANTS } from './plants-of-money.ts'

/** Every bug that the histories must find. */
export const PLANTS: Plant[] = [...CLASS_PLANTS, ...MONEY_PLANTS]
