// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// Test token of the local chain: the part of a six-decimal dollar token that payments need (ERC-20 and EIP-3009), nothing else.
/// Compiled by scripts/build-token.mjs into payment-token.json.
contract PaymentToken {
    string public name;
    string public version;
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    address public immutable minter;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    /// True once the payer's nonce was used: an authorization moves money at most once.
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    bytes32 private constant DOMAIN_TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes4 private constant ERC1271_OK = 0x1626ba7e;
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    constructor(string memory tokenName, string memory tokenVersion) {
        name = tokenName;
        version = tokenVersion;
        minter = msg.sender;
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == minter, "only the minter may mint");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance is too low");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 digest = use(from, to, value, validAfter, validBefore, nonce);
        require(recover(digest, v, r, s) == from, "signature is not of the payer");
        move(from, to, value);
    }

    /// The same for accounts that are contracts: they judge the signature themselves (ERC-1271).
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        bytes32 digest = use(from, to, value, validAfter, validBefore, nonce);
        require(isSigned(from, digest, signature), "signature is not of the payer");
        move(from, to, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    function use(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce)
        private
        returns (bytes32)
    {
        require(block.timestamp > validAfter, "authorization is not valid yet");
        require(block.timestamp < validBefore, "authorization has expired");
        require(!authorizationState[from][nonce], "authorization was used already");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        bytes32 message =
            keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message));
    }

    function isSigned(address from, bytes32 digest, bytes memory signature) private view returns (bool) {
        if (from.code.length > 0) {
            (bool ok, bytes memory answer) =
                from.staticcall(abi.encodeWithSelector(ERC1271_OK, digest, signature));
            return ok && answer.length >= 32 && bytes4(abi.decode(answer, (bytes32))) == ERC1271_OK;
        }
        if (signature.length != 65) return false;
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return recover(digest, v, r, s) == from;
    }

    function recover(bytes32 digest, uint8 v, bytes32 r, bytes32 s) private pure returns (address signer) {
        // The upper half of s would make a second valid signature out of each one.
        require(uint256(s) <= HALF_ORDER, "signature is malleable");
        signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "signature cannot be recovered");
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "no recipient");
        require(balanceOf[from] >= value, "balance is too low");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
