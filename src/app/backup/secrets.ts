import { SECRET_NAMES, type Settings } from '../settings.ts'

/**
 * The secrets that a studio cannot do without elsewhere, as lines of an environment file (`NAME="value"`): those that were
 * set, and those that were made at the first start.
 */
export function secretLines(settings: Settings, env: Record<string, string | undefined>): string {
  const made: Record<string, string> = {
    SESSION_SECRET: settings.sessionSecret,
    HEALTH_DATA_KEY: settings.healthDataKeys.map((key) => key.toString('base64')).join(','),
  }
  const lines = SECRET_NAMES.flatMap((name) => {
    const value = env[name]?.trim() || made[name]
    return value ? [`${name}=${JSON.stringify(value)}\n`] : []
  })
  return lines.join('')
}
