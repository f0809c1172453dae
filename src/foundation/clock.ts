/** Where "now" comes from. Rules take an instant as an argument; only the edges ask a clock. */
export type Clock = { now(): Temporal.Instant }

/** The machine's clock. */
export const systemClock: Clock = { now: () => Temporal.Now.instant() }
