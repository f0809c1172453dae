export { pushKeys } from './keys.ts'
export { pushRoutes } from './routes.ts'
export { pushWorker } from './send-push.ts'
export { pushDataOf, queuePushes, sessionsWithPush } from './subscriptions.ts'
