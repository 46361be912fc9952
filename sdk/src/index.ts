/** The typed client of the interface. Its calls are made from the contract; they come with the integrator's kit. */
export { formats } from '@kontor/contract'
