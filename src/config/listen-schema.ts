import { Type } from 'typebox'

/** Where a server binds. Everything is on loopback until an operator says otherwise. */
export const host = () => Type.String({ default: '127.0.0.1', description: 'address to bind' })

export const port = (value: number, description = 'port to bind; 0 asks the system for a free one') =>
  Type.Integer({ minimum: 0, maximum: 65535, default: value, description })
