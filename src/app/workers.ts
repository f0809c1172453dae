import {
  deleteExpiredEmailChangeRequests,
  deleteExpiredEmailChanges,
  deleteExpiredLinks,
  deleteExpiredSecondSteps,
  deleteExpiredSessions,
  deleteExpiredThrottles,
  findUser,
  mailLinkWorker,
  throttles,
} from '#accounts/server/accounts.ts'
import { checkCheckout, mailAttention, type OutcomeCounter, watchFailures } from '#attention/server/attention.ts'
import {
  bookForAllRegulars,
  bookForCompanion,
  clearWaitingListsOfStartedClasses,
  completeEndedClasses,
  emailRegulars,
  endDueHolds,
  endUndo,
  forgetCompanions,
  isOutdated,
  offerReservedPlaces,
  remindMembers,
  stillTrue,
  textEndingHolds,
} from '#booking/server/booking.ts'
import { pollOwnCalendar } from '#calendar/server/calendar.ts'
import { confirmItem, picturesInUse } from '#facts/server/facts.ts'
import type { Clock } from '#foundation/instants.ts'
import { deleteOldVitals } from '#insights/server/vitals.ts'
import { mayStillSend, recordOutcome, warnOfExpiry } from '#mailings/server/mailings.ts'
import { TEXT_RECEIPTS } from '#messages/contract-texts.ts'
import type { Mailer } from '#messages/server/delivery.ts'
import {
  deleteOldCalls,
  deleteOldTexts,
  deleteOldUndelivered,
  deleteUnconfirmedSubscribers,
  linkTokens,
} from '#messages/server/messages.ts'
import { sendTexts } from '#messages/server/send-texts.ts'
import type { Texter } from '#messages/server/twilio.ts'
import { mailWorker } from '#messages/server/worker.ts'
import { applyNextPrices } from '#packages/server/packages.ts'
import { expirePasses } from '#passes/server/passes.ts'
import { type Provider, readCardFees, reconcilePayments, sendRefund, voucherPdf } from '#payments/server/payments.ts'
import { deleteUnusedPictures } from '#pictures/server/pictures.ts'
import { type Database, inOwnTransactions, type Tx } from '#platform/database/database.ts'
import { diskSpace } from '#platform/disk.ts'
import type { Reach } from '#platform/http/public-internet.ts'
import { deleteOldKeys } from '#platform/http/write.ts'
import type { Workers } from '#platform/jobs/jobs.ts'
import { secretBox } from '#platform/vault/secret-box.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { cutoffsAt } from '#privacy/rules.ts'
import { applyRetention } from '#privacy/server/privacy.ts'
import { pushKeys, pushWorker } from '#push/server/push.ts'
import { emailCancellations } from '#schedule/server/schedule.ts'
import { deleteOldCspReports } from '#security/server/security.ts'
import {
  askBuyerOfUndelivered,
  forgetRecipients,
  mailedCard,
  remindBuyers,
  sendDueVouchers,
} from '#vouchers/server/vouchers.ts'
import { journalFile, updateJournal } from './backup/journal.ts'
import { backupsFolder, makeNightlyBackup } from './backup/recorded-backup.ts'
import { type MinuteTask, runMinuteTasks } from './minute-tasks.ts'
import { MINUTE_TASKS } from './queues.ts'
import type { Settings } from './settings.ts'

const TASK_LIMIT_MS = 60_000

/** What `tidy-up` deletes. */
const DELETIONS: readonly ((tx: Tx, now: Temporal.Instant) => Promise<unknown>)[] = [
  deleteExpiredSessions,
  deleteExpiredLinks,
  deleteExpiredEmailChanges,
  deleteExpiredEmailChangeRequests,
  deleteExpiredSecondSteps,
  deleteExpiredThrottles,
  deleteOldKeys,
  deleteUnconfirmedSubscribers,
  deleteOldUndelivered,
  deleteOldCalls,
  (tx, now) => deleteOldTexts(tx, cutoffsAt(now).records),
  forgetCompanions,
  (tx, now) => deleteUnusedPictures(tx, (since) => picturesInUse(tx, since), now),
  deleteOldCspReports,
  forgetRecipients,
  deleteOldVitals,
]

/** The worker of each queue and each task of every minute. `queues.ts` has their schedules. */
export function studioWorkers(parts: {
  settings: Settings & { databaseUrl: string }
  clock: Clock
  database: Database
  background: Database
  vault: Vault
  provider: Provider | undefined
  mailer: Mailer
  outcomes: OutcomeCounter
  /** Absent without a provider of text messages. */
  texter: Texter | undefined
  /** Only in tests. */
  reach: Reach | undefined
  /** Only in the demo, which shows them. */
  onPush: ((notice: { title: string; body: string }) => void) | undefined
  onError: (error: Error) => void
}): Workers & Readonly<Record<(typeof MINUTE_TASKS)[number], MinuteTask>> {
  const { settings, clock, database, background, provider, onError } = parts
  const tokenOf = linkTokens(settings.sessionSecret)
  const mail = mailWorker(parts.mailer, settings.appUrl, {
    database,
    clock,
    mode: settings.mode,
    tokenOf,
    isOutdated,
    stillTrue,
    mayStillSend,
    voucherOf: async (job) => {
      const card = await mailedCard(database.db, parts.vault, job, clock.now())
      if (!card) return card
      return {
        code: card.code,
        message: card.message,
        pdf: await voucherPdf(background.db, card, settings.appUrl),
      }
    },
    onGivenUp: askBuyerOfUndelivered,
    recordOutcome: async (tx, job, outcome, now) => {
      await recordOutcome(tx, job, outcome, now)
      if (job.mail === 'test-email' && outcome.status === 'handed_over')
        await confirmItem(database.db, 'test_email', null, now)
    },
    onError,
  })
  const workers: ReturnType<typeof studioWorkers> = {
    mail,
    'mail-to-many': mail,
    'mail-link': mailLinkWorker({ database, clock, tokenOf, throttle: throttles(database.limited, settings.mode) }),
    'watch-failures': async () => {
      await parts.outcomes.write()
      await background.transaction((tx) => watchFailures(tx, clock.now()))
    },
    // A demo may not be reachable at its public address.
    'check-checkout': async () => {
      if (settings.mode === 'live') await checkCheckout(background, settings.appUrl, clock.now())
    },
    'send-texts': () =>
      sendTexts(background, parts.texter, {
        clock,
        receiptUrl: `${settings.appUrl}${TEXT_RECEIPTS}`,
        memberOf: findUser,
        isOutdated,
        onError,
      }),
    push: pushWorker({
      database: background,
      clock,
      keys: pushKeys(settings.sessionSecret),
      isOutdated,
      reach: parts.reach,
      onSent: parts.onPush,
      onError,
    }),
    'send-refund': async ({ refundId }) => {
      if (!provider) throw new Error('a refund was not sent because card payments are not set up')
      await sendRefund(background, provider, refundId, clock.now())
    },
    'complete-classes': async () =>
      background.transaction(async (tx) => {
        await completeEndedClasses(tx, clock.now())
        await clearWaitingListsOfStartedClasses(tx, clock.now())
      }),
    'reconcile-payments': async () => {
      if (provider) await reconcilePayments(background, provider, clock.now(), onError)
    },
    'read-card-fees': async () => {
      if (provider) await readCardFees(background, provider, clock.now())
    },
    'read-own-calendar': () =>
      pollOwnCalendar(background, secretBox(parts.vault, 'calendar-address'), clock.now(), {
        reach: parts.reach,
      }),
    'warn-of-expiry': async () => {
      await background.transaction((tx) => warnOfExpiry(tx, clock.now()))
      await background.transaction((tx) => remindBuyers(tx, clock.now()))
    },
    'book-for-companion': ({ regularId }) =>
      background.transaction((tx) => bookForCompanion(tx, regularId, clock.now())),
    'book-for-regulars': () => bookForAllRegulars(background, clock.now()),
    'email-regulars': () => emailRegulars(background, clock.now()),
    'send-vouchers': async () => void (await background.transaction((tx) => sendDueVouchers(tx, clock.now()))),
    'remind-members': async () => void (await background.transaction((tx) => remindMembers(tx, clock.now()))),
    'offer-reserved-places': () => offerReservedPlaces(background, clock.now()),
    'end-holds': async () => {
      await endDueHolds(background, clock.now())
      await background.transaction((tx) => textEndingHolds(tx, clock.now()))
    },
    'end-undo': () => endUndo(background, clock.now()),
    'email-cancellations': async () => {
      await background.transaction((tx) => emailCancellations(tx, clock.now()))
      await endUndo(background, clock.now())
    },
    'expire-passes': async () => {
      await background.transaction((tx) => expirePasses(tx, clock.now()))
      await background.transaction((tx) => applyNextPrices(tx, clock.now()))
    },
    'mail-attention': async () => {
      const disk = await diskSpace(settings.dataDir)
      await background.transaction((tx) => mailAttention(tx, { now: clock.now(), disk, mode: settings.mode }))
    },
    'tidy-up': () => inOwnTransactions(background, DELETIONS, (tx, deletion) => deletion(tx, clock.now())),
    'update-journal': () => updateJournal(journalFile(backupsFolder(settings.dataDir)), database.db),
    'back-up': () =>
      makeNightlyBackup(background, {
        dataDir: settings.dataDir,
        url: settings.migrationDatabaseUrl ?? settings.databaseUrl,
        clock,
        recipient: settings.backupRecipient,
      }),
    'apply-retention': async () => {
      const { isMore } = await applyRetention(background, clock.now(), onError)
      if (isMore) await background.transaction((tx) => tx.enqueue('apply-retention', {}))
    },
    'every-minute': (_data, jobId) =>
      runMinuteTasks(
        MINUTE_TASKS.map((name) => [name, workers[name]]),
        jobId,
        { limitMs: TASK_LIMIT_MS, onError },
      ),
  }
  return workers
}
