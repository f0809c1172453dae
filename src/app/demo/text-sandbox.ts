import type { Logger } from 'pino'
import { type TwilioSandbox, twilioSandbox } from '../../../twilio-sandbox/sandbox.ts'

/** The stand-in for the provider of text messages. Imported in demo mode only. */
export function demoTextSandbox(
  account: { accountSid: string; authToken: string },
  site: { appUrl: string; log: Logger; origin: () => string },
): TwilioSandbox {
  return twilioSandbox({
    ...account,
    // The site may not be reachable at its public address.
    deliverTo: (url) => url.replace(site.appUrl, site.origin()),
    log: site.log,
  })
}

export type { TwilioSandbox }
