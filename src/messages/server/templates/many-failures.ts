import type { Mails } from '../../mail.ts'
import { button, paragraph, type Site, small, type WrittenMail } from './layout.ts'
import { momentOf } from './words.ts'

/** For the owner: somebody tries passwords all over the site. */
export function manyFailures({ to, at }: Mails['many-failures'], site: Site): WrittenMail {
  const heading = 'Many sign-ins are failing'
  return {
    subject: heading,
    preview: `Since an hour before ${momentOf(at)}.`,
    heading,
    body: [
      paragraph(`Hello ${to.firstName},`),
      paragraph(
        `Within the hour before ${momentOf(at)}, 200 sign-ins or more failed on your site. Somebody may be trying passwords at many accounts. Members can sign in as usual, and common passwords are refused when they are chosen.`,
      ),
      paragraph(
        'Look whether any of these sign-ins succeeded: the security record shows them. If one did and its member does not know of it, change that member’s email address back if it was changed, and ask them to set a new password.',
      ),
      button('Open the security record', site('/admin?view=security')),
      small('This email comes at most once in six hours. It asks for no password and no code.'),
    ],
  }
}
