/** Rejects if `work` takes longer. @param ms milliseconds */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
