// Compiles the test token of the local payment chain. The compiler is no dependency of the project:
//   npm i --no-save solc@0.8.30 && node scripts/build-token.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import solc from 'solc'

const folder = new URL('../src/pay/token/', import.meta.url)
const source = readFileSync(new URL('payment-token.sol', folder), 'utf8')
const input = {
  language: 'Solidity',
  sources: { 'payment-token.sol': { content: source } },
  settings: {
    optimizer: { enabled: true, runs: 200 },
    // No metadata hash: the bytes depend on the source and the compiler alone, so a rebuild gives no difference.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    evmVersion: 'shanghai',
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
  },
}
const output = JSON.parse(solc.compile(JSON.stringify(input)))
for (const problem of output.errors ?? []) console.error(problem.formattedMessage)
const contract = output.contracts?.['payment-token.sol']?.PaymentToken
if (!contract) process.exit(1)
const artifact = { compiler: solc.version(), bytecode: `0x${contract.evm.bytecode.object}` }
writeFileSync(new URL('payment-token.json', folder), `${JSON.stringify(artifact, null, 2)}\n`)
console.log(`payment-token.json: ${contract.evm.bytecode.object.length / 2} bytes of code`)
