/** What other parts may call of security. */
export { accessRefusals } from './access-refused.ts'
export { eraseSecurityEvents, recordSecurity, type SecurityEvent, securityEventsOf } from './record-security.ts'
