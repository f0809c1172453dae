import { accountRefusals } from '#accounts/contract.ts'
import { findUser, recipient, type SessionCookies, type Throttles, toUser } from '#accounts/server/accounts.ts'
import { refuse } from '#foundation/refusal.ts'
import * as imports from '#imports/contract.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader } from '#platform/database/database.ts'
import { type Http, sendPage, serve, serveFile } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { recordSecurity } from '#security/server/security.ts'
import * as contract from '../contract.ts'
import * as complaints from '../contract-complaints.ts'
import * as own from '../contract-own.ts'
import { closeComplaint, complaintOf, openComplaint } from './complaints.ts'
import { consentsOf, withdrawHealthConsent } from './consents.ts'
import {
  answerDataComplaint,
  dataComplaintsFor,
  dataComplaintsOf,
  makeDataComplaint,
  makeOutsideComplaint,
  outsideComplaints,
  recordMemberComplaint,
  recordOutsideComplaint,
} from './data-complaints.ts'
import { deleteUser, deletionFacts, eraseMember } from './delete-user.ts'
import { keptUntil } from './due-members.ts'
import { exportMember, recordDownload } from './export-member.ts'
import { membersFile, recordMembersDownload } from './members-file.ts'
import { countRetentionRuns, retentionRunsOf } from './retention-hold.ts'
import { takeBackImport } from './take-back-import.ts'
import { whatWeKeepPaper } from './what-we-keep-paper.ts'

export function privacyRoutes(
  http: Http,
  deps: {
    exports: Reader
    vault: Vault
    cookies: SessionCookies
    throttle: Pick<Throttles, 'countMail' | 'mayMail'>
  },
): void {
  const { database, clock } = http
  const { exports, vault, cookies } = deps
  ownDataRoutes(http)
  complaintRoutes(http, deps)

  serve(http, contract.getDeletionFacts, ({ db, now, params }) => deletionFacts(db, params.id, now))
  write(http, contract.deleteUser, async ({ tx, now, user, params, query }) => {
    if (params.id === user.id) refuse(accountRefusals.cannot_delete_self)
    await deleteUser(tx, user, { id: params.id, seen: query }, now)
  })

  write(http, imports.takeBackImport, async ({ tx, now, user, params }) => takeBackImport(tx, user, params.id, now))

  serve(http, contract.listRetentionRuns, async ({ db, query, reply }) => {
    const count = () => countRetentionRuns(db, query)
    return await sendPage(reply, query, count, retentionRunsOf(db, query))
  })

  serveFile(http, contract.downloadWhatWeKeep, ({ db, now }) => whatWeKeepPaper(db, now))

  serve(http, contract.getComplaint, ({ db, params }) => complaintOf(db, params.id))

  write(http, contract.openComplaint, ({ tx, now, user, params, body }) =>
    openComplaint(tx, user, { userId: params.id, reason: body.reason }, now),
  )

  write(http, contract.closeComplaint, ({ tx, now, user, params }) => closeComplaint(tx, user, params.id, now))

  write(http, contract.deleteOwnAccount, async ({ tx, now, user, request, reply }) => {
    await eraseMember(tx, user.id, now)
    await recordSecurity(tx, { kind: 'erased', actor: user.id, details: { cause: 'own_wish' } }, now)
    cookies.clear(request, reply)
  })

  serve(http, contract.exportMemberData, async ({ user, params, reply }) => {
    await database.transaction((tx) => recordDownload(tx, user, params.id, clock.now()))
    const member = (await findUser(exports, params.id)) ?? refuse(accountRefusals.user_not_found)
    reply.header('content-disposition', `attachment; filename="member-${params.id}.json"`)
    return await exportMember(exports, vault, toUser(member), clock.now())
  })

  serveFile(http, contract.exportMembers, async ({ user }) => {
    await database.transaction((tx) => recordMembersDownload(tx, user, clock.now()))
    return await membersFile(exports, clock.now())
  })

  serve(http, contract.exportOwnData, async ({ user, reply }) => {
    const event = { kind: 'exported', actor: user.id, details: { cause: 'own_wish' } } as const
    await database.transaction(async (tx) => {
      await recordSecurity(tx, event, clock.now())
      await queueMail(tx, 'rights-request-done', { to: recipient(user), did: 'downloaded' })
    })
    reply.header('content-disposition', 'attachment; filename="my-data.json"')
    return await exportMember(exports, vault, user, clock.now())
  })
}

function ownDataRoutes(http: Http): void {
  serve(http, own.getKeptUntil, ({ db, now, user }) => keptUntil(db, user.id, now))
  serve(http, own.getConsents, ({ db, user }) => consentsOf(db, user))
  write(http, own.withdrawHealthConsent, ({ tx, now, user }) => withdrawHealthConsent(tx, user.id, now))
}

const COMPLAINT_CONFIRMED = 'We have your complaint and have emailed you a confirmation.'
const COMPLAINT_NOT_CONFIRMED =
  'We have your complaint. We have just sent several confirmations to this address, so we won’t email another one.'

function complaintRoutes(http: Http, { throttle }: { throttle: Pick<Throttles, 'countMail' | 'mayMail'> }): void {
  write(http, complaints.makeDataComplaint, ({ tx, now, user, body }) =>
    makeDataComplaint(tx, user, body.complaint, now),
  )
  serve(http, complaints.listOwnDataComplaints, ({ db, user }) => dataComplaintsOf(db, user.id))
  serve(http, complaints.listDataComplaints, ({ db, params }) => dataComplaintsFor(db, params.id))
  write(http, complaints.answerDataComplaint, ({ tx, now, user, params, body }) =>
    answerDataComplaint(tx, user, { id: params.id, answer: body.answer }, now),
  )

  write(
    http,
    complaints.makeOutsideComplaint,
    async ({ tx, now, body }, isConfirmed: boolean) => {
      await makeOutsideComplaint(tx, body, isConfirmed, now)
      return { message: isConfirmed ? COMPLAINT_CONFIRMED : COMPLAINT_NOT_CONFIRMED }
    },
    {
      before: async ({ body, request }) => {
        await throttle.countMail(request.ip)
        return await throttle.mayMail('complaint', body.email)
      },
    },
  )
  serve(http, complaints.listOutsideComplaints, ({ db }) => outsideComplaints(db))
  write(http, complaints.recordOutsideComplaint, ({ tx, now, user, body }) =>
    recordOutsideComplaint(tx, user, body, now),
  )
  write(http, complaints.recordMemberComplaint, ({ tx, now, user, params, body }) =>
    recordMemberComplaint(tx, user, { ...body, userId: params.id }, now),
  )
}
