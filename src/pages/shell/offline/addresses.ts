/** What a member's browser keeps for when there is no connection. A file, not a page of the site. */
export const OFFLINE_PAGE = '/offline.html'
/** What keeps it: at the root, because a worker sees what lies beside it. */
export const SERVICE_WORKER = '/service-worker.js'
