import { many } from '#foundation/collections.ts'
import { studio } from '#studio.ts'
import type { ReasonToKeep } from './contract-own.ts'

/** How long rows are kept: a retention period of docs/studio-rules.md, `always`, or in words. */
export type Kept = 'account' | 'health' | 'financial' | 'records' | 'always' | `${string} ${string}`

/** What erasing a person does with a row that names them in a column. */
export type Erasing = 'row goes' | 'emptied' | 'id stays' | 'by hand'

/** What a restore does with what happened to the table since the backup. */
export type AfterRestore = 'as backed up' | 'repeated' | 'reported' | 'left out'

type Personal = {
  /** What it is, in the words of the page “What we keep and why”. */
  title: string
  why: string
  /** Columns that hold a member's id, and what erasing that member does. */
  people?: { readonly [column: string]: Erasing }
  /** What erasing does, in words, where the first of `people` does not say it all. */
  erased?: string
  /** Columns that hold an email address, which may be a member's. */
  addresses?: readonly string[]
  /** The table whose row says whose this row is; it goes with that row. */
  of?: string
  /** Where the download has the rows (a path in `MemberData`), and which columns: `column` or `column=name there`. */
  download?: { in: string; columns: string }
  /** Columns that the download leaves out, by reason. */
  withheld?: { readonly [Reason in Withheld]?: string }
  kept: Kept
  restore: AfterRestore
  /** A row is a reason to keep the member when their period is over. */
  spares?: ReasonToKeep
  /** In SQL: rows that say nothing about the member when an import (`$import`) is taken back; others keep them. */
  byImport?: string
  /** Health information, encrypted. */
  isSealed?: true
}
type OfNobody = { nobody: string; restore?: AfterRestore }
export type RegisterEntry = Personal | OfNobody

/** Why a download leaves a column out. */
export const WITHHELD = {
  technical: 'ids, versions and times by which the site works; they say nothing more about the person',
  secret: 'a hash, a key or a token: it would let its reader sign in or pay',
  shown: 'the same is in the download in another place or form',
  others: 'it is about another person',
  staff: 'what the studio notes for itself about its own work',
  passing: 'it is gone within a day or when it was used',
} as const
type Withheld = keyof typeof WITHHELD

const ACCOUNT = 'account'
const JOBS = 'true'

/**
 * What the studio keeps, by table: whose it is, and what download, erasure, retention, a restore and the taking back of
 * an import do with it. `register.test.ts` compares it with the database.
 */
export const REGISTER: { readonly [table: string]: RegisterEntry } = {
  // People and how they sign in
  users: {
    title: 'Account',
    why: 'To know who books, and how to reach them',
    people: { id: 'row goes' },
    addresses: ['email', 'username'],
    download: {
      in: 'account',
      columns:
        'id first_name last_name email username phone is_admin is_teacher=role teaches_as invited_at blocked_at=blocked.since blocked_reason=blocked.reason texts_off created_at',
    },
    withheld: {
      secret: 'password_hash',
      shown: 'email_verified_at searchable',
      technical: 'welcomed_at able_since updated_at',
    },
    kept: ACCOUNT,
    restore: 'repeated',
    byImport: JOBS,
  },
  member_notes: {
    title: 'Notes of the studio',
    why: 'To look after members',
    people: { user_id: 'row goes', author_id: 'emptied' },
    download: { in: 'notes', columns: 'id text written_at' },
    withheld: { shown: 'user_id', others: 'author_id' },
    kept: ACCOUNT,
    restore: 'reported',
  },
  email_change_requests: {
    title: 'New address that waits for confirmation',
    why: 'To check that the address is theirs',
    people: { user_id: 'row goes' },
    addresses: ['new_email'],
    download: { in: 'addressAskedFor', columns: 'new_email=email expires_at' },
    withheld: { shown: 'user_id', secret: 'link_id token_hash', passing: 'requested_at' },
    kept: 'until it is confirmed or its link ends',
    restore: 'left out',
  },
  email_changes: {
    title: 'Former address',
    why: 'So that a changed address can be restored',
    people: { user_id: 'row goes' },
    addresses: ['old_email'],
    download: { in: 'addressesBefore', columns: 'old_email=email changed_at expires_at=keptUntil' },
    withheld: { shown: 'user_id', secret: 'token_hash', technical: 'id' },
    kept: 'a week',
    restore: 'left out',
  },
  sessions: {
    title: 'Signed-in browsers',
    why: 'To keep members signed in',
    people: { user_id: 'row goes' },
    download: { in: 'sessions', columns: 'id method browser system created_at=beganAt last_used_at' },
    withheld: { shown: 'user_id', secret: 'token_hash', technical: 'confirmed_at expires_at' },
    kept: 'until they end',
    restore: 'left out',
    byImport: JOBS,
  },
  one_time_links: {
    title: 'Emailed links',
    why: 'To verify an address or set a password',
    people: { user_id: 'row goes' },
    withheld: { passing: 'user_id purpose created_at expires_at', secret: 'token_hash', technical: 'id' },
    kept: 'until they are used or end',
    restore: 'left out',
  },
  passkeys: {
    title: 'Passkeys',
    why: 'To sign in',
    people: { user_id: 'row goes' },
    download: { in: 'secondSteps.passkeys', columns: 'id label created_at last_used_at is_synced' },
    withheld: { shown: 'user_id', secret: 'credential_id public_key', technical: 'counter transports' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  passkey_challenges: {
    title: 'Passkey requests',
    why: 'To sign in',
    people: { user_id: 'row goes' },
    withheld: { passing: 'user_id purpose expires_at', secret: 'challenge_hash' },
    kept: 'five minutes',
    restore: 'left out',
  },
  authenticator_apps: {
    title: 'Authenticator apps',
    why: 'To sign in',
    people: { user_id: 'row goes' },
    download: { in: 'secondSteps', columns: 'created_at=authenticatorAppSince' },
    withheld: { shown: 'user_id', secret: 'sealed_secret', technical: 'last_step last_used_at' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  recovery_codes: {
    title: 'Recovery codes',
    why: 'To sign in without the second step',
    people: { user_id: 'row goes' },
    download: { in: 'secondSteps', columns: 'code_hash=recoveryCodesLeft' },
    withheld: { shown: 'user_id', technical: 'created_at' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  pending_sign_ins: {
    title: 'Sign-ins that await the second step',
    why: 'To sign in',
    people: { user_id: 'row goes' },
    withheld: { passing: 'user_id expires_at', secret: 'token_hash password_tag' },
    kept: 'five minutes',
    restore: 'left out',
  },
  throttles: { nobody: 'counters of the last hours, by hashed keys', restore: 'left out' },
  idempotency_keys: {
    title: 'Responses to requests',
    why: 'So that a repeated request does not happen twice',
    people: { user_id: 'by hand' },
    withheld: { passing: 'user_id key endpoint about request_hash status response created_at' },
    kept: 'a day',
    restore: 'left out',
    byImport: JOBS,
  },

  // Classes
  class_series: { nobody: 'the repeats of classes', restore: 'reported' },
  classes: { nobody: 'the timetable; the instructor is named on the website', restore: 'reported' },
  planned_classes: { nobody: 'the timetable', restore: 'reported' },
  closed_classes: { nobody: 'the timetable', restore: 'reported' },
  closures: { nobody: 'the timetable; the admin who closed a day is kept by id', restore: 'reported' },

  // Packages and payments
  packages: { nobody: 'what the studio sells', restore: 'reported' },
  promotion_codes: { nobody: 'codes that anyone may use', restore: 'repeated' },
  payment_intents: {
    title: 'Card payments',
    why: 'Contract and tax',
    people: { user_id: 'emptied' },
    download: {
      in: 'payments',
      columns: 'lines=package amount_pence=amount state created_at=startedAt settled_at paid_pence=paid method',
    },
    withheld: {
      shown: 'user_id package_id class_count validity_months promotion_code_id begin_requested_at confirmed_at',
      technical: 'id confirmed_by version next_poll_at unread_since',
    },
    kept: 'financial',
    restore: 'reported',
    spares: 'payment',
  },
  purchases: {
    title: 'Purchases and receipts',
    why: 'Contract and tax; name and contact go with the account',
    people: { user_id: 'emptied' },
    download: {
      in: 'purchases',
      columns:
        'id receipt_number amount_pence=amount purchased_at desk_method=method note voided_at begin_requested_at refunded_pence=refunded lines=package',
    },
    withheld: { shown: 'user_id buyer package_id class_count valid_until payment_intent_id lost_pence searchable' },
    kept: 'financial',
    restore: 'reported',
    spares: 'purchase',
  },
  receipt_counter: { nobody: 'the last receipt number', restore: 'repeated' },
  promotion_uses: {
    title: 'Uses of promotion codes',
    why: 'So that a code is used as often as it may be',
    people: { user_id: 'emptied' },
    withheld: {
      shown: 'user_id code_id payment_intent_id purchase_id used_at',
      technical: 'id reserved_until is_once_per_member is_first_purchase',
    },
    kept: 'financial',
    restore: 'reported',
  },
  refunds: {
    title: 'Refunds',
    why: 'Contract and tax',
    of: 'purchases',
    download: { in: 'purchases.refunds', columns: 'amount_pence=amount status created_at=at' },
    withheld: {
      shown: 'payment_intent_id purchase_id method credits_taken',
      staff: 'origin reason failure answered_at',
      technical: 'id reference provider_id sent_at settled_at',
    },
    kept: 'financial',
    restore: 'reported',
    spares: 'payment',
  },
  disputes: {
    title: 'Disputed payments',
    why: 'Legal claims',
    of: 'payment_intents',
    download: { in: 'purchases.disputes', columns: 'amount_pence=amount status opened_at=at' },
    withheld: { shown: 'payment_intent_id purchase_id', staff: 'reason respond_by decided_at', technical: 'id' },
    kept: 'financial',
    restore: 'as backed up',
    spares: 'dispute',
  },
  fraud_warnings: {
    title: 'Fraud warnings of the card network',
    why: 'Legal claims',
    of: 'payment_intents',
    download: { in: 'purchases.warnings', columns: 'kind warned_at=at' },
    withheld: { shown: 'payment_intent_id', technical: 'id' },
    kept: 'financial',
    restore: 'as backed up',
  },
  payouts: { nobody: 'transfers to the studio’s bank', restore: 'as backed up' },
  balance_changes: { nobody: 'the studio’s balance at the card provider', restore: 'as backed up' },

  // Passes and bookings
  passes: {
    title: 'Passes',
    why: 'Contract',
    people: { user_id: 'row goes' },
    download: {
      in: 'passes',
      columns:
        'id user_id package_id credits_total credits_remaining created_at expires_at paused frozen_at refunded_at=isEnded voided_at=isEnded',
    },
    withheld: { shown: 'purchase_id', technical: 'usable_since frozen_days' },
    kept: ACCOUNT,
    restore: 'reported',
    spares: 'pass',
    byImport: 'exists (select from import_rows as own where own.pass_id = t.id and own.import_id = $import)',
  },
  credit_ledger: {
    title: 'Credits and why they moved',
    why: 'Contract',
    of: 'passes',
    download: {
      in: 'credits',
      columns: 'id kind credits pass_id booking_id reason at class_title=class class_date=class class_start_time=class',
    },
    withheld: { others: 'caused_by_admin', technical: 'caused_by reinstatements' },
    kept: ACCOUNT,
    restore: 'as backed up',
  },
  expiry_warnings: {
    title: 'Warnings that a pass ends',
    why: 'So that each is emailed once',
    of: 'passes',
    withheld: { technical: 'pass_id expires_on days queued_at' },
    kept: ACCOUNT,
    restore: 'as backed up',
  },
  invitations: {
    title: 'Invited companions',
    why: 'To hold a place for them, as the member who invited typed it',
    people: { invited_by: 'row goes' },
    addresses: ['email'],
    download: { in: 'companions', columns: 'first_name last_name email invited_at answer=state' },
    withheld: { shown: 'invited_by open_until', secret: 'link_id', technical: 'id' },
    kept: '30 days after the place ended, or after the class',
    restore: 'as backed up',
    spares: 'booking',
  },
  invitation_objections: {
    title: 'Addresses that nobody may invite (hashed)',
    why: 'The right to object',
    download: { in: '', columns: 'email_hash=objectsToInvitations' },
    withheld: { technical: 'objected_at' },
    kept: 'always',
    restore: 'repeated',
  },
  regular_bookings: {
    title: 'Regular bookings',
    why: 'Contract',
    people: { user_id: 'row goes', companion_user_id: 'emptied' },
    download: {
      in: 'regularBookings',
      columns: 'id weekday=day start_time from_date=dates created_at=since invitation_id=companion',
    },
    withheld: { shown: 'user_id companion_user_id', technical: 'mailed_at credits_warned_at' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  regular_dates_left_out: {
    title: 'Dates that are not booked again',
    why: 'Contract',
    people: { user_id: 'row goes' },
    withheld: { shown: 'user_id class_id' },
    kept: ACCOUNT,
    restore: 'as backed up',
  },
  bookings: {
    title: 'Bookings',
    why: 'Contract',
    people: { user_id: 'emptied', payer_id: 'emptied' },
    erased: 'erased, unless another member comes or pays',
    download: {
      in: 'bookings',
      columns:
        'id class_id user_id status payment_status participant_count total_amount_pence=totalAmount booked_at cancelled_at moved_from_date=movedFrom moved_from_start_time=movedFrom moved_from_end_time=movedFrom booked_with calendar_uid calendar_sequence brought_by=bookedBy',
    },
    withheld: {
      shown: 'payer_id pass_id regular_booking_id invitation_id',
      technical: 'origin announced_at reinstatements moved_at reminded_at',
    },
    kept: ACCOUNT,
    restore: 'reported',
    spares: 'booking',
  },
  undoable_cancellations: {
    title: 'Cancellations of the last minute',
    why: 'To undo them',
    of: 'bookings',
    withheld: {
      passing: 'booking_id cancelled_at outcome reason is_place_reserved class_updated_at pass_expires_at is_by_payer',
    },
    kept: 'a minute',
    restore: 'as backed up',
  },
  studio_cancellations: {
    nobody: 'classes cancelled in the last minute; members by id, without a name',
    restore: 'as backed up',
  },
  waiting_list: {
    title: 'Places on waiting lists',
    why: 'Contract',
    people: { user_id: 'row goes' },
    download: { in: 'waitingList', columns: 'class_id joined_at unconfirmed_since=needsConfirming offered_until' },
    withheld: { shown: 'user_id', technical: 'id regular_booking_id turn' },
    kept: 'until the class starts',
    restore: 'as backed up',
    spares: 'waiting',
  },
  vouchers: {
    title: 'Gift vouchers',
    why: 'Contract',
    people: { buyer_id: 'emptied', redeemed_by: 'emptied' },
    addresses: ['recipient_email'],
    download: {
      in: 'vouchers',
      columns:
        'package_name=package recipient_name recipient_email message sold_at expires_at redeemed_at buyer_id=isBuyer voided_at=state',
    },
    withheld: {
      shown:
        'package_id redeemed_by pass_id purchase_id payment_intent_id class_count validity_months amount_pence frozen_at',
      secret: 'code_hmac sealed_code last_four',
      technical: 'id send_at sent_at reminded_at',
    },
    kept: 'the recipient 30 days after its end; the sale as purchases',
    restore: 'repeated',
    spares: 'voucher',
  },

  // Health
  health_questionnaires: {
    title: 'Health form',
    why: 'Consent: to teach safely',
    people: { user_id: 'row goes' },
    download: {
      in: 'health',
      columns: 'sealed=questionnaire marketing_consent=questionnaire consented_at=questionnaire',
    },
    withheld: { shown: 'user_id updated_at consent_text_version', technical: 'version' },
    kept: 'health',
    restore: 'repeated',
    isSealed: true,
  },
  emergency_contacts: {
    title: 'Emergency contact',
    why: 'Consent: to call someone',
    people: { user_id: 'row goes' },
    download: { in: 'health', columns: 'sealed=emergencyContact' },
    withheld: { shown: 'user_id updated_at', technical: 'version' },
    kept: 'health',
    restore: 'repeated',
    isSealed: true,
  },
  health_updates: {
    title: 'Changes of health information',
    why: 'Consent: so that the instructor reads what is new',
    people: { user_id: 'row goes' },
    download: { in: 'health.updates', columns: 'update_type sealed_changes=changes created_at' },
    withheld: { shown: 'user_id', technical: 'id version notified_at' },
    kept: 'health',
    restore: 'as backed up',
    isSealed: true,
  },
  session_notes: {
    title: 'Notes on sessions',
    why: 'Consent: to teach safely',
    people: { user_id: 'row goes', author_id: 'emptied' },
    download: { in: 'health.sessionNotes', columns: 'sealed=text written_at booking_id=date' },
    withheld: { shown: 'user_id', others: 'author_id', technical: 'version' },
    kept: 'health',
    restore: 'reported',
    isSealed: true,
  },
  health_reads: {
    title: 'Who read health information',
    why: 'To show that only those who must read it do',
    people: { member_id: 'id stays', admin_id: 'id stays' },
    download: { in: 'health.readByTheStudio', columns: 'what at' },
    withheld: { shown: 'member_id', others: 'admin_id address', technical: 'id' },
    kept: 'records',
    restore: 'as backed up',
    byImport: JOBS,
  },

  // Messages
  undelivered_mails: {
    title: 'Emails that did not arrive',
    why: 'So that the owner can reach the person',
    addresses: ['address'],
    withheld: { shown: 'address mail failed_at', technical: 'id reason' },
    kept: 'three months; to an invited stranger as long as the invitation',
    restore: 'as backed up',
    byImport: JOBS,
  },
  refused_addresses: {
    title: 'Addresses that their mail server refuses',
    why: 'So that nothing is sent in vain',
    addresses: ['address'],
    withheld: { technical: 'address reason since' },
    kept: 'until an email arrives or the account is erased',
    restore: 'as backed up',
    byImport: JOBS,
  },
  calls: {
    title: 'Calls to make',
    why: 'For members without an email address',
    people: { user_id: 'row goes' },
    download: { in: 'calls', columns: 'mail=gist created_at' },
    withheld: { shown: 'user_id', technical: 'id' },
    kept: 'until the call is made, or three months',
    restore: 'repeated',
    byImport: JOBS,
  },
  texts: {
    title: 'Text messages',
    why: 'Contract: what cannot wait',
    people: { user_id: 'row goes' },
    download: { in: 'texts', columns: 'body phone state created_at=writtenAt' },
    withheld: {
      shown: 'user_id kind topic event alert',
      technical: 'id send_after useless_after claimed_at provider_id error cost currency',
    },
    kept: 'records',
    restore: 'as backed up',
    byImport: JOBS,
  },
  push_subscriptions: {
    title: 'Browsers that show notifications',
    why: 'Consent',
    people: { user_id: 'row goes' },
    download: { in: 'notifications.devices', columns: 'endpoint=service created_at=since' },
    withheld: { shown: 'user_id session_id', secret: 'p256dh auth', technical: 'id' },
    kept: 'until the browser is signed out',
    restore: 'left out',
    byImport: JOBS,
  },
  push_choices: {
    title: 'Notifications switched off',
    why: 'The right to object',
    people: { user_id: 'row goes' },
    download: { in: 'notifications', columns: 'off' },
    withheld: { shown: 'user_id' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  newsletter_subscribers: {
    title: 'Newsletter',
    why: 'Consent',
    addresses: ['email'],
    download: { in: 'newsletter', columns: 'requested_at confirmed_at' },
    withheld: { secret: 'token', shown: 'email' },
    kept: 'until it is ended; unconfirmed a week',
    restore: 'repeated',
  },
  marketing_objections: {
    title: 'Objection to news and offers',
    why: 'The right to object',
    people: { user_id: 'row goes' },
    download: { in: '', columns: 'objected_at=marketingObjectedAt' },
    withheld: { shown: 'user_id' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  marketing_consents: {
    title: 'Consent to news and offers',
    why: 'Consent',
    people: { user_id: 'row goes' },
    download: { in: 'marketingConsent', columns: 'agreed_at source note recorded_at' },
    withheld: { shown: 'user_id' },
    kept: ACCOUNT,
    restore: 'repeated',
    byImport: "t.source = 'import'",
  },
  news_offers: {
    title: 'Answer to the offer of news',
    why: 'So that it is asked once',
    people: { user_id: 'row goes' },
    download: { in: '', columns: 'answered_at=newsOfferAnsweredAt' },
    withheld: { shown: 'user_id' },
    kept: ACCOUNT,
    restore: 'as backed up',
  },
  studio_messages: { nobody: 'messages to many, without a recipient’s details', restore: 'as backed up' },
  message_recipients: {
    title: 'Messages to many',
    why: 'To show what was sent to whom',
    people: { user_id: 'row goes' },
    download: { in: 'messages', columns: 'message_id=subject status status_at=sentAt' },
    withheld: { shown: 'user_id', secret: 'id subscriber', technical: 'reason' },
    kept: 'records',
    restore: 'as backed up',
  },

  // Records and privacy
  audit_log: {
    title: 'What admins changed',
    why: 'To explain changes',
    people: { subject_id: 'by hand', admin_id: 'id stays' },
    download: { in: 'changedByTheStudio', columns: 'at action subject_kind=about changes' },
    withheld: { shown: 'subject_id', others: 'admin_id address', technical: 'id' },
    kept: 'records',
    restore: 'reported',
    byImport: "t.action in ('imported', 'import_taken_back', 'exported')",
  },
  security_events: {
    title: 'Sign-ins and changes of rights',
    why: 'Security',
    people: { subject_id: 'id stays', actor_id: 'id stays' },
    download: { in: 'security', columns: 'at kind=what outcome address=from details' },
    withheld: { shown: 'subject_id actor_id', technical: 'id' },
    kept: 'records',
    restore: 'as backed up',
    byImport: JOBS,
  },
  erasures: {
    title: 'Ids of erased members',
    why: 'So that no backup brings them back',
    people: { user_id: 'id stays' },
    withheld: { technical: 'user_id erased_at' },
    kept: 'always',
    restore: 'repeated',
  },
  retention_runs: { nobody: 'how much each run erased' },
  retention_hold: { nobody: 'why the run waits for the owner' },
  complaints: {
    title: 'Complaints noted by the studio',
    why: 'Legal claims',
    people: { user_id: 'row goes', opened_by: 'id stays' },
    download: { in: 'complaint', columns: 'reason opened_by opened_at' },
    withheld: { shown: 'user_id' },
    kept: 'until it is closed',
    restore: 'reported',
    spares: 'complaint',
  },
  data_complaints: {
    title: 'Complaints about data',
    why: 'The law',
    people: { user_id: 'row goes', answered_by: 'id stays' },
    addresses: ['email'],
    download: { in: 'dataComplaints', columns: 'id channel complaint made_at answer answered_at' },
    withheld: { shown: 'user_id', others: 'name email other_contact answered_by' },
    kept: ACCOUNT,
    restore: 'as backed up',
    spares: 'complaint',
  },

  // The site
  studio_facts: { nobody: 'what the website says about the studio; the admin is kept by id', restore: 'reported' },
  set_up_items: { nobody: 'what the owner confirmed; by id', restore: 'as backed up' },
  pictures: { nobody: 'the owner’s pictures', restore: 'as backed up' },
  picture_files: { nobody: 'the owner’s pictures', restore: 'as backed up' },
  calendar_feeds: {
    title: 'Private calendar address',
    why: 'Contract',
    people: { user_id: 'row goes' },
    download: { in: 'calendarAddress', columns: 'shows created_at' },
    withheld: { shown: 'user_id', secret: 'secret_hash' },
    kept: ACCOUNT,
    restore: 'repeated',
  },
  own_calendar: { nobody: 'the address of the owner’s own calendar, encrypted', restore: 'repeated' },
  busy_times: { nobody: 'when the owner is busy, not with what', restore: 'as backed up' },
  imports: { nobody: 'figures of imported files; the admin is kept by id', restore: 'as backed up' },
  import_rows: {
    title: 'Imported rows',
    why: 'So that a row is imported once',
    people: { user_id: 'emptied' },
    withheld: {
      shown: 'user_id pass_id credits booking_id consent_before',
      technical: 'fingerprint import_id adds_member file_credits imported_at',
    },
    kept: 'always',
    restore: 'as backed up',
    byImport: 't.import_id = $import',
  },
  attention_done: { nobody: 'what the owner marked as done; by id', restore: 'as backed up' },
  attention_mail: { nobody: 'the day of the last daily email', restore: 'as backed up' },
  outcomes: { nobody: 'counts', restore: 'as backed up' },
  incidents: { nobody: 'counts', restore: 'as backed up' },
  checkout_checks: { nobody: 'checks of the checkout page', restore: 'as backed up' },
  vitals: { nobody: 'how fast pages were; no visitor is recorded', restore: 'as backed up' },
  csp_reports: { nobody: 'what browsers blocked; no visitor is recorded', restore: 'as backed up' },
  backups: { nobody: 'the backups that were made', restore: 'as backed up' },
  restores: { nobody: 'the restores that were made', restore: 'as backed up' },
  restored_jobs: {
    title: 'Emails that waited at the time of a backup',
    why: 'So that they are sent after a restore',
    withheld: { passing: 'id queue data created_at' },
    kept: 'until the restored site has opened',
    restore: 'as backed up',
  },
  migrations: { nobody: 'which migrations ran; they record themselves', restore: 'left out' },
}

/** The tables with personal data. */
export const personalTables = (): [string, Personal][] =>
  Object.entries(REGISTER).flatMap(([table, entry]) => ('nobody' in entry ? [] : [[table, entry]]))

const { contactYears, healthMonths, financialYears, recordMonths } = studio.policies.retention
const PERIODS: { readonly [kept: string]: string } = {
  account: `with the account: ${many(contactYears, 'year')} after the last class`,
  health: `${many(healthMonths, 'month')} after the last class or change`,
  financial: many(financialYears, 'year'),
  records: many(recordMonths, 'month'),
  always: 'for good',
}
const ERASED: { readonly [How in Erasing]: string } = {
  'row goes': 'erased',
  emptied: 'stays without their name',
  'by hand': 'stays without details of them',
  'id stays': 'stays with a number instead of a name',
}

/** A line of the page “What we keep and why”. */
export type KeptLine = { title: string; why: string; kept: string; erased: string; isInDownload: boolean }

/** What the studio keeps about people, in the words of the page “What we keep and why”. */
export function whatWeKeep(): KeptLine[] {
  return personalTables().map(([, { title, why, people = {}, erased, kept, download }]) => ({
    title,
    why,
    kept: PERIODS[kept] ?? kept,
    erased: erased ?? ERASED[Object.values(people)[0] ?? 'row goes'],
    isInDownload: download !== undefined,
  }))
}
