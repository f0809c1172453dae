/** Node arguments for a live site in a process: tests may run as root in a container, a live site may not. */
export const NOT_AS_ROOT = ['--import', 'data:text/javascript,process.getuid=()=>1000']

/** Settings of live mode. No database and no SMTP server is there: emails stay in the outbox. */
export const LIVE = {
  STUDIO_MODE: 'live',
  HOST: '127.0.0.1',
  DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
  APP_URL: 'https://studio.example',
  SESSION_SECRET: 'a secret of the tests, long enough',
  HEALTH_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Studio <hello@studio.example>',
  EMAIL_VERIFICATION: 'off',
  ADMIN_SECOND_FACTOR: 'off',
  STOP_NOTICE_SECONDS: '0',
}
