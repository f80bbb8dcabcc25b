export { assertBackendContract } from './assert-backend-contract.js'
export type { BackendContractOptions, ContractCheck } from './backend-contract.js'
export { backendContract } from './backend-contract.js'
