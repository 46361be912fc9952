/** Former names of notifications.tsx. */
export { notifyDone as tellDone, notifyFailed as tellFailed } from './notifications.tsx'
