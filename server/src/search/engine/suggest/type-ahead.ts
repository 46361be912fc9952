export { typeAhead } from './type-ahead-impl.ts'
