//! Five calls with a client that openapi-generator made: cargo run --example five_calls [BASE_URL]
use astrolabe_client::apis::{blob_api, block_api, configuration::Configuration, gas_api, general_api};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base_path = std::env::args().nth(1).unwrap_or("http://127.0.0.1:9876".to_string());
    let client = Configuration { base_path, ..Configuration::default() };

    let head = general_api::get_head(&client).await?;
    println!("head {} {}", head.chain_id, head.last_height);

    let blocks = block_api::list_blocks(&client, Some(3), None, None, None, None).await?;
    let heights: Vec<String> = blocks.iter().map(|block| block.height.to_string()).collect();
    println!("blocks {}", heights.join(" "));

    let block = block_api::get_block(&client, 7, None).await?;
    println!("block {} {}", block.height, block.hash);

    let blobs = blob_api::list_blobs(&client, Some(1), None, None, None, None, None, None, None, None, None).await?;
    println!("blob {} {}", blobs[0].id, blobs[0].size);

    let gas = gas_api::get_gas_price(&client).await?;
    println!("gas {}", gas.median);
    Ok(())
}
