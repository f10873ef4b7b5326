const INT8_MAX = 2n ** 63n - 1n

/** Gas as the base rows hold it: a hostile 64-bit value is capped there, so it is capped in the sums too. */
export function storedGas(gas: bigint): bigint {
  return gas > INT8_MAX ? INT8_MAX : gas
}
