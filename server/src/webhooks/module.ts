/** Webhooks: the calls about them, and the sending. */
export { startDelivering } from './deliver.ts'
export { openSecret, tidyJob, tidyTimes, tidyWebhooks, webhooks } from './webhooks.ts'
