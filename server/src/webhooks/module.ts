/** Webhooks: their routes and the delivery. */
export { startDelivering } from './deliver.ts'
export { openSecret, tidyJob, tidyTimes, tidyWebhooks, webhooks } from './webhooks.ts'
